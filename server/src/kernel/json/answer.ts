/** The text of an answer from outside; throws, and reads no further, when it is longer. */
export async function textAnswer(response: Response, mostBytes: number): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.length
    if (bytes > mostBytes) throw new Error(`The answer has more than ${mostBytes} bytes.`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
