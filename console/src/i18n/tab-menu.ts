import { tabMenu } from './en/tab-menu.ts'
import { addTexts } from './texts.ts'

addTexts({ tabMenu })
