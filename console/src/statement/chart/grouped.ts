const NUMBER = /^(-?\d+)(\.\d+)?$/

/** 1234567.5 is 1,234,567.5. */
export function grouped(value: string): string {
  const [, whole, part = ''] = NUMBER.exec(value) ?? []
  return whole === undefined ? value : whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',') + part
}
