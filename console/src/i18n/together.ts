import { together } from './en/together.ts'
import { addTexts } from './texts.ts'

addTexts({ together })
