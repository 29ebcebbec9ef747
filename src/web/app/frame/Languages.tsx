import { useLocation } from 'react-router'
import { addressIn, languageNames, languages, spokenLanguage } from '#shared/language.ts'
import { say } from '#words/say.ts'

/** The page in every language. */
export function Languages() {
  const { pathname, search } = useLocation()
  return (
    <ul aria-label={say('Language')} className="flex flex-wrap gap-x-4 sm:gap-x-5">
      {languages.map((language) => (
        <li key={language}>
          {language === spokenLanguage() ? (
            <span aria-current="true" className="inline-block py-1.5 font-semibold">
              {languageNames[language]}
            </span>
          ) : (
            <a
              href={addressIn(language, pathname + search)}
              // The server leaves out what the page doesn't know of its query.
              suppressHydrationWarning
              lang={language}
              hrefLang={language}
              className="inline-block py-1.5 underline-offset-4 hover:underline"
            >
              {languageNames[language]}
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}
