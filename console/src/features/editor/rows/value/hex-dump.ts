/** So that a line fits beside the rows. */
const PER_LINE = 8

/** Of how binary values are written: printable characters as they are, all other bytes as `\x0A`. */
export function bytesOf(text: string): number[] {
  const bytes: number[] = []
  for (let at = 0; at < text.length; at++) {
    const code = /^\\x([\dA-Fa-f]{2})/.exec(text.slice(at, at + 4))?.[1]
    if (code === undefined) bytes.push(text.charCodeAt(at) & 0xff)
    else {
      bytes.push(Number.parseInt(code, 16))
      at += 3
    }
  }
  return bytes
}

const isPrintable = (byte: number): boolean => byte >= 0x20 && byte < 0x7f

/** Eight bytes a line, with their place before them and their readable characters after. */
export function hexDump(bytes: readonly number[]): string {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += PER_LINE) {
    const own = bytes.slice(at, at + PER_LINE)
    const hex = own.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    const readable = own.map((byte) => (isPrintable(byte) ? String.fromCharCode(byte) : '.')).join('')
    lines.push(`${at.toString(16).padStart(6, '0')}  ${hex.padEnd(3 * PER_LINE)} ${readable}`)
  }
  return lines.join('\n')
}
