/** The fewest digits that read back as the same 64-bit number, in the notation that all engines share. */
export function doubleText(value: number): string {
  return floatText(value, (absolute) => absolute.toExponential())
}

/** The same for a 32-bit number, which JavaScript knows only as its 64-bit neighbour. */
export function singleText(value: number): string {
  return floatText(value, (absolute) => {
    for (let digits = 0; digits < 8; digits++) {
      const nearest = absolute.toExponential(digits)
      // Beside a power of two the numbers below are closer together than those above.
      const found = [nearest, nextDigit(nearest, digits)].find(
        (text) => Math.fround(Number(text)) === absolute,
      )
      if (found) return found
    }
    return absolute.toExponential(8)
  })
}

function nextDigit(exponential: string, digits: number): string {
  const [mantissa = '', power = '0'] = exponential.split('e')
  return `${(Number(mantissa) + 10 ** -digits).toFixed(digits)}e${power}`
}

function floatText(value: number, shortest: (absolute: number) => string): string {
  if (Number.isNaN(value)) return isNegative(value) ? '-nan' : 'nan'
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  if (!Number.isFinite(value)) return `${sign}inf`
  const [mantissa = '', power = ''] = shortest(Math.abs(value)).split('e')
  const digits = mantissa.replace('.', '').replace(/0+$/, '') || '0'
  const exponent = Number(power)
  return sign + (exponent < -4 || exponent >= 16 ? scientific(digits, exponent) : plain(digits, exponent))
}

const bits = new DataView(new ArrayBuffer(8))

/** By its first bit: JavaScript takes all that are no number for the same. */
function isNegative(value: number): boolean {
  bits.setFloat64(0, value)
  return bits.getUint8(0) >= 0x80
}

function scientific(digits: string, exponent: number): string {
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : ''
  const power = String(Math.abs(exponent)).padStart(2, '0')
  return `${digits[0]}${fraction}e${exponent < 0 ? '-' : '+'}${power}`
}

function plain(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  return `${whole}.${digits.slice(exponent + 1) || '0'}`
}
