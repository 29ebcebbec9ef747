import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { LEGAL_TEXT_MAX, type LegalText } from '#contract/legal.ts'
import { paths } from '#contract/paths.ts'
import {
  isLegalPageName,
  legalPageNames,
  legalPages,
  legalPlaceholders,
  objectionToLegalText,
  readLegalText,
  type LegalPageName,
} from '#domain/legal/legal-text.ts'
import { isRefusal } from '#web/api/error-sentence.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { LegalArticle } from '#web/content/LegalArticle.tsx'
import { useLegalFacts } from '#web/content/legal-facts.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { legalPagesQuery } from './admin-queries.ts'
import { LegalTranslations } from './LegalTranslations.tsx'
import { SettingChanges } from './SettingChanges.tsx'
import { useAction } from './use-action.ts'

/** `/admin/legal`: the texts of the legal pages; `?page=` is the one shown. */
export function LegalPagesPage() {
  const [search] = useSearchParams()
  const asked = search.get('page')
  const page = isLegalPageName(asked) ? asked : 'terms-of-service'
  const legal = useQuery(legalPagesQuery)
  // Forms begin again with what an undo has restored.
  const [undoCount, setUndoCount] = useState(0)
  return (
    <AdminFrame title="Legal pages">
      <p className="mb-6 max-w-[44em] text-ink-soft">
        Publishing makes a new version. Every version stays readable, and each order has the one that its shopper
        accepted.
      </p>
      <nav aria-label="Legal pages" className="mb-8">
        <ul className="flex flex-wrap gap-x-6 border-b border-line">
          {legalPageNames.map((name) => (
            <li key={name}>
              <Link
                to={`${paths.adminLegal}?page=${name}`}
                aria-current={name === page ? 'page' : undefined}
                className="inline-flex min-h-11 items-center aria-[current]:font-semibold aria-[current]:underline"
              >
                {legalPages[name].label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <QueryBoundary query={legal}>
        {({ pages, translations, changes }) => {
          const saved = pages[page]
          return (
            <div className="grid gap-14">
              {saved && <LegalEditor key={`${page} ${undoCount}`} page={page} saved={saved} />}
              {saved && (
                <LegalTranslations
                  key={`translations of ${page} ${undoCount}`}
                  page={page}
                  english={saved}
                  translations={translations.filter((one) => one.page === page)}
                />
              )}
              <SettingChanges
                // A translation's is the page and the language.
                changes={changes.filter(({ about }) => about.id.split(' ')[0] === page)}
                onUndo={() => setUndoCount((count) => count + 1)}
              />
            </div>
          )
        }}
      </QueryBoundary>
    </AdminFrame>
  )
}

function LegalEditor({ page, saved }: { page: LegalPageName; saved: LegalText }) {
  const api = useApi()
  const queries = useQueryClient()
  const { act, busy, failure } = useAction()
  const facts = useLegalFacts('en')
  const [typed, setTyped] = useState(saved.text)
  /** What the typed text is based on. */
  const [base, setBase] = useState(saved)
  const [other, setOther] = useState<LegalText>()
  const objection = typed.trim() === '' ? 'Please write a text' : objectionToLegalText(typed)
  const isChanged = typed.trim() !== base.text

  const publish = () =>
    act(async () => {
      try {
        const answer = await api('PUT /api/admin/legal/:page', {
          params: { page },
          body: { was: base.version, text: typed },
        })
        const fresh = (await queries.fetchQuery({ ...legalPagesQuery, staleTime: 0 })).pages[page]
        if (fresh) setBase(fresh)
        if (fresh) setTyped(fresh.text)
        setOther(undefined)
        return answer
      } catch (error) {
        if (isRefusal(error, 'setting_changed')) {
          const fresh = (await queries.fetchQuery({ ...legalPagesQuery, staleTime: 0 })).pages[page]
          if (fresh) setBase(fresh)
          setOther(fresh)
        }
        throw error
      }
    })

  return (
    <div className="grid items-start gap-x-10 gap-y-10 xl:grid-cols-2">
      <form
        aria-label="Text"
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          if (!objection) void publish()
        }}
      >
        <TextArea
          label={`${legalPages[page].label}, version ${base.version}`}
          hint="“## Heading” begins a section; “{#anchor}” after it is its address. “### ” begins a smaller heading, “- ” a point of a list. Empty lines separate paragraphs. **bold**, [link](/contact), and | cells | of a table |."
          rows={30}
          value={typed}
          error={objection}
          maxLength={LEGAL_TEXT_MAX}
          onValue={setTyped}
        />
        {failure && <Notice>{failure.sentence}</Notice>}
        {other && (
          <details>
            <summary className="cursor-pointer">Published meanwhile: version {other.version}</summary>
            <pre className="mt-3 text-sm whitespace-pre-wrap">{other.text}</pre>
          </details>
        )}
        <div className="flex flex-wrap items-center gap-4">
          <Button type="submit" busy={busy} disabled={objection !== undefined || !isChanged}>
            Publish a new version
          </Button>
          <Link to={`/${page}`} className="link-line">
            See the page
          </Link>
        </div>
        {page === 'privacy-policy' && !base.text.includes('__Host-language') && (
          <Notice tone="calm" title="The first version doesn’t list every cookie">
            Under “Cookies”, a new version can say: “- **language** (or **__Host-language**): set only when you choose
            another language: which one. It expires after a year.” It is a third cookie of the shop’s own.
          </Notice>
        )}
        <details>
          <summary className="cursor-pointer font-medium">Placeholders and what they say today</summary>
          <dl className="mt-3 grid gap-2 text-sm">
            {legalPlaceholders.map((name) => (
              <div key={name}>
                <dt>
                  <code>{`{${name}}`}</code>
                </dt>
                <dd className="text-ink-soft">{facts[name] || 'Nothing'}</dd>
              </div>
            ))}
          </dl>
        </details>
      </form>
      {objection ? (
        <Notice tone="calm">The preview is back when the text is right.</Notice>
      ) : (
        <section aria-label="Preview">
          <LegalArticle document={readLegalText(typed, facts)} language="en" prefix="preview-" />
        </section>
      )}
    </div>
  )
}
