import { z } from 'zod/mini'

// Rules without a message of their own say in English what is wrong. Pages show only rules that have one, so the
// words come with the whole contract alone: services and tools take that, the console does not.
z.config(z.locales.en())
