/** Hands what was made here to the browser, as a download. */
export function saveBlob(fileName: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  URL.revokeObjectURL(address)
}

/** Hands a file that came as an answer to the browser, as a download. */
export function saveFile(file: { fileName: string; mediaType: string; base64: string }): void {
  const bytes = Uint8Array.from(atob(file.base64), (sign) => sign.codePointAt(0) ?? 0)
  saveBlob(file.fileName, new Blob([bytes], { type: file.mediaType }))
}

export const saveJson = (fileName: string, text: string): void =>
  saveBlob(fileName, new Blob([text], { type: 'application/json' }))
