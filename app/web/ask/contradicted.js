// What other voices say against the sentences of an answer's paths: both sides, each with who says it and where.

import { bdi, el, foreign, oneLine, quiet } from "../base/dom.js";
import { matterView } from "../base/statement.js";
import { t } from "../base/words.js";

export function contradictedView({ contradictions = [] }) {
  if (!contradictions.length) return null;
  return el("section", { class: "contradicted" }, el("h3", t("contradicted")), el("ol", { class: "contradictions" }, contradictions.map(pair)));
}

const pair = (one) =>
  el("li", one.about && el("p", foreign("b", oneLine(one.about, 300))), quiet(says(one), one.what && [" · ", bdi(one.what)]), matterView([one.said, one.against], one.further ?? []));

/** What the other voice does: it denies it, affirms a denied statement, or says otherwise. */
function says({ kind, verdict, against }) {
  const name = kind !== "denial" ? "otherwise" : against.denied ? "denies" : "affirms";
  const said = t(`against.${name}`, oneLine(against.voice, 60));
  return verdict === "contradiction" ? said : `${said}, ${t("mayBe")}`;
}
