import type { OtherLanguage } from '#shared/language.ts'
import { learn, type Translated } from './say.ts'

const files: Readonly<Record<OtherLanguage, () => Promise<{ translated: Translated }>>> = {
  de: () => import('./in/de.ts'),
  fr: () => import('./in/fr.ts'),
  es: () => import('./in/es.ts'),
  ja: () => import('./in/ja.ts'),
}

/** For a browser, which speaks one language. */
export async function loadWords(language: OtherLanguage): Promise<void> {
  learn(language, (await files[language]()).translated)
}
