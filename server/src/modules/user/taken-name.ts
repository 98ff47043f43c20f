import { AppError } from '../../kernel/app-error.ts'
import { errorCode } from '../../store/error-code.ts'

const UNIQUE_VIOLATION = '23505'
const ADDRESS_INDEX = 'users_account_id_email'

const isAboutAddress = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === ADDRESS_INDEX

/** A user of an account has a name and an address that no other user of it has: says which of them is taken. */
export async function orTaken<T>(
  { name, email }: { readonly name: string; readonly email: string | null },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (errorCode(error) !== UNIQUE_VIOLATION) throw error
    const message =
      isAboutAddress(error) && email !== null
        ? `Another user of this account has the mail address ${email}. Use another address.`
        : `There is a user ${name} already.`
    throw new AppError('NameTaken', message, { cause: error })
  }
}
