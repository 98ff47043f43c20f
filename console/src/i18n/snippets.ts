import { snippets } from './en/snippets.ts'
import { addTexts } from './texts.ts'

addTexts({ snippets })
