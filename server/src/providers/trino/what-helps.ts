/** Of a message for people, in characters. */
const MOST = 400
const MOST_LINES = 3
/** What a server says when it cannot make something, among thousands of lines of stacks and bindings. */
const HELPFUL = [
  /^\s*\d+\)\s*(?:\[[^\]]*\]:?\s*)?(?:Error:\s*)?(.+)$/,
  /^\s*(?:Caused by:\s*)?(?:[\w$.]+(?:Exception|Error)):\s*(.+)$/,
  /^\s*(?:ERROR|Error):?\s+(.+)$/,
]
const NOISE =
  /^\s*(?:at\s|#?\s*WARNING|INFO:|\.\.\. \d+ more|\\_|\s*for (?:the )?\d+\w* parameter|while locating)/

/** The first lines that say what is wrong, without stacks; one line, and short. */
export function whatHelps(message: string): string {
  const lines = message.split(/\r?\n/).filter((line) => line.trim() !== '' && !NOISE.test(line))
  const helpful = lines.flatMap((line) => {
    const [, found] = HELPFUL.map((pattern) => pattern.exec(line)).find((match) => match !== null) ?? []
    return found ? [found.trim()] : []
  })
  const chosen = helpful.length > 0 ? [...new Set(helpful)].slice(0, MOST_LINES) : lines.slice(0, 1)
  const text = chosen.map((line) => line.trim()).join(' ')
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text
}
