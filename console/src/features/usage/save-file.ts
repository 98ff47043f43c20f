/** Hands a file that came as an answer to the browser, as a download. */
export function saveFile(file: { fileName: string; mediaType: string; base64: string }): void {
  const bytes = Uint8Array.from(atob(file.base64), (sign) => sign.codePointAt(0) ?? 0)
  const address = URL.createObjectURL(new Blob([bytes], { type: file.mediaType }))
  const link = document.createElement('a')
  link.href = address
  link.download = file.fileName
  link.click()
  URL.revokeObjectURL(address)
}
