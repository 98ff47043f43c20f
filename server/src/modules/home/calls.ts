import { home } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { Home } from './service.ts'

export const homeCalls = ({ recent }: Home) => implement(home, { recent: ({ actor }) => recent(actor) })
