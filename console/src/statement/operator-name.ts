/** SEQ_SCAN reads Seq scan, and ScanFilter reads Scan filter. */
export function operatorName(operator: string): string {
  const words = operator
    .replaceAll('_', ' ')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
