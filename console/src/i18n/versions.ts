import { versions } from './en/versions.ts'
import { addTexts } from './texts.ts'

addTexts({ versions })
