import { IDENTITY_MESSAGES, isBusinessEmail } from '@boathouse/contract'
import { AppError } from '../../kernel/app-error.ts'

export type RequireAcceptedAddress = (email: string) => void

/** For sign-ups and invitations, where the operator wants business addresses only. */
export const acceptedAddress =
  ({ businessMailOnly }: { readonly businessMailOnly: boolean }): RequireAcceptedAddress =>
  (email) => {
    if (businessMailOnly && !isBusinessEmail(email))
      throw new AppError('NotBusinessEmail', IDENTITY_MESSAGES.notBusinessEmail)
  }
