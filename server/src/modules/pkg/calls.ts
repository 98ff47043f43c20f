import { pkg } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { Packages } from './service.ts'

export const packageCalls = (packages: Packages) =>
  implement(pkg, { list: async () => ({ packages: await packages.list() }) })
