import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { LEGAL_TEXT_MAX, SIGNED_BY_MAX, type LegalText, type LegalTranslation } from '#contract/legal.ts'
import { objectionToTranslation, type LegalPageName } from '#domain/legal/legal-text.ts'
import { addressIn, languageNames, languages, type OtherLanguage } from '#shared/language.ts'
import { useApi } from '#web/api/use-api.ts'
import { formatDay } from '#web/reports/report-format.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field, FieldFrame } from '#web/ui/Field.tsx'
import { inputClass } from '#web/ui/input-class.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { legalPagesQuery } from './admin-queries.ts'
import { useAction } from './use-action.ts'

type PageProps = { page: LegalPageName; english: LegalText }

/** The signed translations of a legal page; without one of the current version, shoppers read English. */
export const LegalTranslations = ({
  translations,
  ...rest
}: PageProps & { translations: readonly LegalTranslation[] }) => (
  <section aria-labelledby="translations">
    <h2 id="translations" className="border-b border-line pb-3 text-title">
      Translations
    </h2>
    <p className="mt-4 max-w-[44em] text-ink-soft">
      Shoppers read a translation once somebody has signed it, and until the English text has a newer version. The
      English text binds.
    </p>
    <div className="mt-2 grid divide-y divide-line">
      {languages
        .filter((language) => language !== 'en')
        .map((language) => (
          <Translation
            key={language}
            {...rest}
            language={language}
            saved={translations.find((one) => one.language === language)}
          />
        ))}
    </div>
  </section>
)

type Props = PageProps & { language: OtherLanguage; saved: LegalTranslation | undefined }

function stateOf({ english, saved }: Props): string {
  if (!saved) return 'none; shoppers read English'
  if (saved.ofVersion !== english.version)
    return `out of date: of version ${saved.ofVersion}, the English text is version ${english.version}; shoppers read English`
  return `version ${saved.ofVersion}, signed by ${saved.signedBy} on ${formatDay(saved.signedOn)}`
}

function Translation(props: Props) {
  const { page, english, language, saved } = props
  const api = useApi()
  const queries = useQueryClient()
  const { act, busy, failure } = useAction()
  const [text, setText] = useState(saved?.text ?? '')
  const [signedBy, setSignedBy] = useState('')
  const [signedOn, setSignedOn] = useState('')
  const [fileError, setFileError] = useState<string>()
  const params = { page, language }
  /** What a text that is typed now translates and replaces. */
  const now = { was: saved?.id ?? null, ofVersion: english.version }
  /** The same of the typed text, which was signed for that version and no other. */
  const [base, setBase] = useState(now)
  const isBehind = base.was !== now.was || base.ofVersion !== now.ofVersion
  const settle = (send: () => Promise<{ done: string }>) =>
    act(async () => {
      const answer = await send()
      const { pages, translations } = await queries.fetchQuery({ ...legalPagesQuery, staleTime: 0 })
      const own = translations.find((one) => one.page === page && one.language === language)
      setBase({ was: own?.id ?? null, ofVersion: pages[page]?.version ?? base.ofVersion })
      return answer
    })
  const read = async (file: File) => {
    const isSmall = file.size <= LEGAL_TEXT_MAX * BYTES_PER_CHARACTER
    const bytes = isSmall ? await file.arrayBuffer() : undefined
    try {
      if (bytes) setText(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
      setFileError(bytes ? undefined : `Please use at most ${LEGAL_TEXT_MAX} characters`)
    } catch {
      setFileError('Please save the file as UTF-8 text')
    }
  }
  return (
    <details className="py-4">
      <summary className="cursor-pointer">
        <span className="font-medium">{languageNames[language]}</span>: {stateOf(props)}
      </summary>
      <form
        aria-label={`Translation, ${languageNames[language]}`}
        className="mt-5 grid max-w-[44em] gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          const body = { ...base, text, signedBy, signedOn }
          void settle(() => api('PUT /api/admin/legal/:page/:language', { params, body }))
        }}
      >
        <TextArea
          label={`Translation of version ${base.ofVersion}`}
          hint="With the same sections and placeholders as the English text. Sections have the English addresses."
          lang={language}
          rows={16}
          required
          value={text}
          error={
            failure?.fields['text'] ??
            (isBehind || text.trim() === '' ? undefined : objectionToTranslation(text, english.text))
          }
          maxLength={LEGAL_TEXT_MAX}
          onValue={setText}
        />
        <FieldFrame label="Or read it from a text file" error={fileError}>
          {(attributes) => (
            <input
              {...attributes}
              type="file"
              accept=".txt,.md,text/plain,text/markdown"
              className={inputClass}
              onChange={({ currentTarget }) => {
                const file = currentTarget.files?.[0]
                // Choosing the same file again reads it again.
                currentTarget.value = ''
                if (file) void read(file)
              }}
            />
          )}
        </FieldFrame>
        <div className="grid gap-5 sm:grid-cols-2">
          <Field
            label="Signed by"
            hint="Shoppers see the name."
            required
            maxLength={SIGNED_BY_MAX}
            value={signedBy}
            error={failure?.fields['signedBy']}
            onValue={setSignedBy}
          />
          <Field
            label="Signed on"
            type="date"
            required
            value={signedOn}
            error={failure?.fields['signedOn']}
            onValue={setSignedOn}
          />
        </div>
        {failure && <Notice>{failure.sentence}</Notice>}
        {isBehind && (
          <Notice title={`Changed meanwhile. The English text is version ${now.ofVersion}.`}>
            <Button variant="plain" onClick={() => setBase(now)}>
              My text is signed for this version
            </Button>
          </Notice>
        )}
        <div className="flex flex-wrap items-center gap-4">
          <Button type="submit" busy={busy}>
            Publish the translation
          </Button>
          {saved && (
            <Button
              variant="outline"
              busy={busy}
              onClick={() => void settle(() => api('DELETE /api/admin/legal/:page/:language', { params }))}
            >
              Withdraw
            </Button>
          )}
          <a href={addressIn(language, `/${page}`)} className="link-line">
            See the page
          </a>
        </div>
      </form>
    </details>
  )
}

/** Of UTF-8, for Japanese. */
const BYTES_PER_CHARACTER = 3
