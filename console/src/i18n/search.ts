import { search } from './en/search.ts'
import { addTexts } from './texts.ts'

addTexts({ search })
