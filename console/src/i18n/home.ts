import { home } from './en/home.ts'
import { addTexts } from './texts.ts'

addTexts({ home })
