import { z } from 'zod'
import type { Setting } from './settings.ts'

/** The model that users can ask about their SQL. */
export const ASSISTANT_SETTINGS = {
  BOATHOUSE_ASSISTANT_URL: {
    schema: z.url({ protocol: /^https?$/ }),
    fallback: undefined,
    expects: 'the address of an API for chat completions, such as http://localhost:11434/v1',
    meaning: 'Model that users can ask about their SQL; without it nothing is sent anywhere',
  },
  BOATHOUSE_ASSISTANT_MODEL: {
    schema: z.string().min(1),
    fallback: undefined,
    expects: 'the name of a model',
    meaning: 'Which model to ask; required with BOATHOUSE_ASSISTANT_URL',
  },
  BOATHOUSE_ASSISTANT_KEY: {
    schema: z.string().min(1),
    fallback: undefined,
    expects: 'a key of that API',
    meaning: 'Sent to the assistant as a bearer token, where it wants one',
    secret: true,
  },
} satisfies Record<string, Setting>
