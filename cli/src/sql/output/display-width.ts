/** Characters that take two columns of a terminal: East Asian wide ones and pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{17000}-\u{18cff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u

const PLAIN = /^[\x20-\x7e]*$/

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

const widthOfOne = (grapheme: string): number =>
  /^\p{M}+$/u.test(grapheme) ? 0 : WIDE.test(grapheme) ? 2 : 1

/** How many columns of a terminal a text takes that has no control characters. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const { segment } of segmenter.segment(text)) width += widthOfOne(segment)
  return width
}

/** As much of a text as fits, with an ellipsis where something is missing. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let kept = ''
  let used = 0
  for (const { segment } of segmenter.segment(text)) {
    used += widthOfOne(segment)
    if (used > width - 1) break
    kept += segment
  }
  return `${kept}…`
}
