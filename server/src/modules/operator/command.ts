import { AccountId, UserName } from '@boathouse/contract'
import { z } from 'zod'

/** What the operator asks for: checked like everything that comes from outside, answered with plain data. */
export interface Command {
  readonly input: z.ZodType
  run(input: never): Promise<unknown>
}

export const command = <I extends z.ZodType>(
  input: I,
  run: (input: z.output<I>) => Promise<unknown>,
): Command => ({
  input,
  run,
})

export const OfAccount = z.object({ account: AccountId })
export const OfUser = OfAccount.extend({ user: UserName })
