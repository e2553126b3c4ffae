// A question without one document: where its path breaks, and what it becomes.

import { post } from "../base/api.js";
import { bdi, el, failure, pushButton, replace, waitingLine } from "../base/dom.js";
import { viewOf } from "../base/marker.js";
import { t } from "../base/words.js";

/** A button that asks the question without a document and shows the difference; a model reads only if that is asked for
 * afterwards. */
export function withoutButton(context, question, source, generated) {
  const found = el("div", { "aria-live": "polite" });
  const asked = (llm) => post(context.path("ask"), { question, llm, view: { ...viewOf(context.state.workspace), without: [source] } });
  const again = pushButton({ class: "small", onclick: () => show(async () => el("p", { dir: "auto" }, (await asked(true)).text)) }, t("answerWithout"));
  return [" ", pushButton({ class: "small", onclick: () => show(async () => [differenceLines((await asked(false)).difference), generated && again]) }, t("withoutIt")), found];

  async function show(read) {
    replace(found, waitingLine(t("looking")));
    try {
      replace(found, await read());
    } catch (error) {
      replace(found, failure(error));
    }
  }
}

/** Where the path breaks without what is left out, and what it becomes. */
function differenceLines({ path, breaks, becomes }) {
  if (!path) return el("p", t("hangsOnPassage"));
  if (!breaks.length) return el("p", t("pathHolds"));
  const row = ({ hop, text, why }) => el("p", t("pathBreaks", hop), " ", bdi(text, 200), ` (${t(`why.${why}`)})`);
  return [breaks.map(row), el("p", becomes ? [t("pathBecomes"), " ", bdi(becomes.text, 400)] : t("noPathLeft"))];
}
