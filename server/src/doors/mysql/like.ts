/** A pattern of LIKE, letter case ignored; an empty one matches everything. */
export function likeMatcher(pattern: string): (text: string) => boolean {
  if (pattern === '') return () => true
  const escaped = pattern.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
  const regular = new RegExp(`^${escaped.replaceAll('%', '.*').replaceAll('_', '.')}$`, 'is')
  return (text) => regular.test(text)
}
