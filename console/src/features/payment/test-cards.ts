import type { TestCard } from '@boathouse/contract/payment'

/** What the numbers of test cards stand for. A number never leaves the browser; one that is not here is refused. */
const TEST_CARDS: Readonly<Record<string, TestCard>> = {
  '4242424242424242': 'visa',
  '5555555555554444': 'mastercard',
  '378282246310005': 'amex',
  '4000002760003184': 'challenge',
  '4000000000000002': 'declined',
  '4000000000000119': 'unavailable',
  '4000000000000341': 'declinedLater',
  '4000000000000259': 'failsLater',
}

export const GOOD_TEST_CARD = '4242 4242 4242 4242'

export interface EnteredCard {
  readonly number: string
  readonly expires: string
  readonly code: string
}

export interface ReadCard {
  readonly card: TestCard
  readonly lastDigits: string
  /** `YYYY-MM` */
  readonly expires: string
}

type CardProblem = 'notTest' | 'expiresWrong' | 'expired' | 'codeWrong'
export type CardProblems = { readonly [F in keyof EnteredCard]?: CardProblem }

const withoutGaps = (number: string): string => number.replaceAll(/[\s-]/g, '')

/** 0430, 04/30 and 4 / 2030 alike. */
function readExpiry(text: string): string | null {
  const parts =
    /^\s*(0?[1-9]|1[0-2])\s*\/\s*(?:20)?(\d\d)\s*$/.exec(text) ?? /^(0[1-9]|1[0-2])(\d\d)$/.exec(text)
  return parts ? `20${parts[2]}-${parts[1]?.padStart(2, '0')}` : null
}

export function readCard(entered: EnteredCard, now: Date): ReadCard | CardProblems {
  const number = withoutGaps(entered.number)
  const card = TEST_CARDS[number]
  const expires = readExpiry(entered.expires)
  const isOver = expires !== null && expires < now.toISOString().slice(0, 7)
  const isCode = /^\d{3,4}$/.test(entered.code.trim())
  if (card && expires && !isOver && isCode) return { card, lastDigits: number.slice(-4), expires }
  return {
    ...(card ? {} : { number: 'notTest' }),
    ...(expires === null ? { expires: 'expiresWrong' } : isOver ? { expires: 'expired' } : {}),
    ...(isCode ? {} : { code: 'codeWrong' }),
  }
}

export const isRead = (read: ReadCard | CardProblems): read is ReadCard => 'card' in read
