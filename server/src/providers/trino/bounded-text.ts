/** An answer as text; undefined when it is longer than that. */
export async function boundedText({ body }: Response, mostBytes: number): Promise<string | undefined> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += (part as Uint8Array).byteLength
    if (bytes > mostBytes) return undefined
    parts.push(Buffer.from(part as Uint8Array))
  }
  return Buffer.concat(parts).toString('utf8')
}
