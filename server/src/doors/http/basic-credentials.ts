/** Name and password of Basic authentication; null where the header is not of that form. */
export function basicCredentials(
  header: string | undefined,
): { readonly name: string; readonly password: string } | null {
  const [, encoded] = /^Basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(header ?? '') ?? []
  if (encoded === undefined) return null
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? null : { name: text.slice(0, colon), password: text.slice(colon + 1) }
}
