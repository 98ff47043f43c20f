import { decodePassword, MESSAGES, Password } from '@boathouse/contract'
import { AppError } from '../../kernel/app-error.ts'

/** Of a password that somebody chooses for themselves, as it travels. */
export type RequireGoodPassword = (encoded: string) => void

/** The operator of a local or sandbox server can switch the rule off; then any password is accepted. */
export const passwordRule =
  ({ isSkipped }: { readonly isSkipped: boolean }): RequireGoodPassword =>
  (encoded) => {
    if (!isSkipped && !Password.safeParse(decodePassword(encoded)).success)
      throw new AppError('BadInput', `password: ${MESSAGES.passwordFormat}`)
  }
