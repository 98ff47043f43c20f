import { profile } from './en/profile.ts'
import { addTexts } from './texts.ts'

addTexts({ profile })
