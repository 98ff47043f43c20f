import { embed } from './en/embed.ts'
import { addTexts } from './texts.ts'

addTexts({ embed })
