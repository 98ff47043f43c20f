import { assistant } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { AssistantService } from './service.ts'

export const assistantCalls = (service: AssistantService) =>
  implement(assistant, {
    about: async () => service.about(),
    ask: (from, order) => service.ask(from, order),
  })
