import { lineage as calls } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { Lineage } from './service.ts'

export const lineageCalls = ({ facts, graph, statements }: Lineage) =>
  implement(calls, {
    facts: ({ actor }, wanted) => facts(actor, wanted),
    graph: ({ actor }, wanted) => graph(actor, wanted),
    statements: ({ actor }, wanted) => statements(actor, wanted),
  })
