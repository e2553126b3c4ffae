// Where the names of a picture are drawn: beside their discs, the larger first, without overlaps.

const GAP = 3; // pixels between a disc and its name

/** The upper left corner of each name, or null where there is no room for it. `names`: the disc (x, y, size: its radius)
    and what its text takes (width, height), in pixels; `fixed` ones are to the right of their disc whatever is there.
    `discs`: all that are seen; `frame`: width and height of the picture. A name is cut by the frame or laid on a disc
    before it is left out. */
export function placeNames(names, discs, frame) {
  const taken = [];
  const under = discs.map(boxOf);
  const corners = names.map(() => null);
  const order = names.map((_, n) => n).sort((a, b) => Number(Boolean(names[b].fixed)) - Number(Boolean(names[a].fixed)) || names[b].size - names[a].size);
  for (const n of order) {
    const sides = sidesOf(names[n]);
    const free = names[n].fixed ? sides.slice(0, 1) : sides.filter((box) => !taken.some((other) => overlap(box, other)));
    const whole = free.filter((box) => inside(box, frame));
    const box = whole.find((one) => !under.some((disc) => overlap(one, disc))) ?? whole[0] ?? free[0];
    if (!box) continue;
    taken.push(box);
    corners[n] = { x: box.x, y: box.y };
  }
  return corners;
}

/** Right, left, below, above. */
function sidesOf({ x, y, size, width, height }) {
  const [middle, far] = [y - height / 2, size + GAP];
  return [
    { x: x + far, y: middle },
    { x: x - far - width, y: middle },
    { x: x - width / 2, y: y + far },
    { x: x - width / 2, y: y - far - height },
  ].map((corner) => ({ ...corner, width, height }));
}

const boxOf = ({ x, y, size }) => ({ x: x - size, y: y - size, width: 2 * size, height: 2 * size });

const inside = (box, { width, height }) => box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;

const overlap = (one, other) => one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;
