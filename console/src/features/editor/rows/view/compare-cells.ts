type Compare = (one: string, other: string) => number

const collator = new Intl.Collator('en')

/** By value where the numbers are small enough to tell apart, and else to the digit. */
const byNumber: Compare = (one, other) => {
  const difference = Number(one) - Number(other)
  if (difference !== 0 && !Number.isNaN(difference)) return difference
  const areWhole = /^-?\d+$/.test(one) && /^-?\d+$/.test(other)
  if (!areWhole) return Number.isNaN(difference) ? collator.compare(one, other) : 0
  return Number(BigInt(one) > BigInt(other)) - Number(BigInt(one) < BigInt(other))
}

/** Times and dates are written so that their order is that of their texts. */
const bySpelling: Compare = (one, other) => Number(one > other) - Number(one < other)

export function comparing(family: string): Compare {
  if (family === 'number') return byNumber
  return family === 'text' ? collator.compare : bySpelling
}
