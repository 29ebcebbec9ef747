import { useQuery } from '@tanstack/react-query'
import { NewSynonym, type SearchMiss } from '#contract/admin-search.ts'
import { DISMISSED_UNTIL_SEARCHES } from '#domain/catalog/search-miss.ts'
import { useApi } from '#web/api/use-api.ts'
import type { Answer } from '#web/api/client.ts'
import { ApiForm, FormButton, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Field } from '#web/ui/Field.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { searchWordsQuery } from './admin-queries.ts'
import { useChange } from './use-action.ts'

type SearchWords = Answer<'GET /api/admin/search'>

/** `/admin/search`: what shoppers searched for in vain, and which words mean the same. */
export function SearchWordsPage() {
  const query = useQuery(searchWordsQuery)
  return (
    <AdminFrame title="Search">
      <QueryBoundary query={query}>
        {(words) => (
          <div className="grid max-w-[52em] gap-12">
            <Misses {...words} />
            <Spellings key={JSON.stringify(words.spellings)} spellings={words.spellings} />
          </div>
        )}
      </QueryBoundary>
    </AdminFrame>
  )
}

const SUGGESTIONS = 'known-words'

const Misses = ({ misses, types, spellings }: SearchWords) => (
  <section aria-labelledby="misses">
    <h2 id="misses" className="text-[1.375rem] font-semibold">
      Searches that found nothing
    </h2>
    <p className="mt-2 mb-6 text-ink-soft">
      Of the last 30 days, most frequent first. Say what shoppers meant, and the next one finds it: a product type such
      as hat, or a word from a name or description. What you dismiss stays away for 30 days, or until it is searched for{' '}
      {DISMISSED_UNTIL_SEARCHES} more times.
    </p>
    {misses.length === 0 ? (
      <p className="rounded-card border border-line bg-surface p-6">
        Every search of the last 30 days found something.
      </p>
    ) : (
      <ul className="grid gap-3">
        {misses.map((miss) => (
          <Miss key={miss.words} miss={miss} />
        ))}
      </ul>
    )}
    <datalist id={SUGGESTIONS}>
      {[...new Set([...types.map(({ name }) => name), ...spellings.flat()])].map((word) => (
        <option key={word}>{word}</option>
      ))}
    </datalist>
  </section>
)

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

function Miss({ miss: { words, count, lastDay } }: { miss: SearchMiss }) {
  const api = useApi()
  const change = useChange()
  return (
    <li className="rounded-card border border-line bg-surface p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p className="font-semibold wrap-anywhere">{words}</p>
        <p className="text-sm text-ink-soft">
          {count === 1 ? 'Once' : `${count} times`}, last on {dayFormat.format(new Date(`${lastDay}T00:00:00Z`))}
        </p>
      </div>
      <ApiForm
        schema={NewSynonym}
        send={(body) => change(() => api('POST /api/admin/search/synonyms', { body }))}
        aria-label={words}
        className="mt-3 flex flex-wrap items-end gap-3"
      >
        <input type="hidden" name="words" value={words} />
        <Field
          label="Add as a synonym of"
          name="of"
          required
          maxLength={60}
          autoComplete="off"
          list={SUGGESTIONS}
          className="min-w-40 flex-1"
        />
        <SubmitButton variant="outline">
          Add<span className="sr-only"> {words}</span>
        </SubmitButton>
        <FormButton
          variant="plain"
          send={() => change(() => api('POST /api/admin/search/dismissals', { body: { words } }))}
        >
          Dismiss<span className="sr-only"> {words}</span>
        </FormButton>
        <div className="w-full empty:hidden">
          <FormNotice />
        </div>
      </ApiForm>
    </li>
  )
}

/** `gray, grey` becomes a line's words; empty lines are left out. */
const groupsIn = (text: string): string[][] =>
  text
    .split('\n')
    .map((line) =>
      line
        .split(',')
        .map((word) => word.trim())
        .filter(Boolean),
    )
    .filter((words) => words.length > 0)

function Spellings({ spellings }: Pick<SearchWords, 'spellings'>) {
  const api = useApi()
  const change = useChange()
  return (
    <section aria-labelledby="spellings">
      <h2 id="spellings" className="text-[1.375rem] font-semibold">
        Spellings and synonyms
      </h2>
      <p className="mt-2 mb-6 text-ink-soft">
        Words of one line find the same. What names a product type, such as cap for hat, is stored with the type.
      </p>
      <ApiForm
        send={({ spellings: text = '' }) =>
          change(() =>
            api('PUT /api/admin/search/spellings', { body: { before: spellings, spellings: groupsIn(text) } }),
          )
        }
        aria-label="Spellings and synonyms"
        className="grid gap-4"
      >
        <TextArea
          label="Words that mean the same"
          name="spellings"
          rows={Math.min(20, spellings.length + 3)}
          defaultValue={spellings.map((words) => words.join(', ')).join('\n')}
          hint="One line each, separated by commas, such as gray, grey."
          spellCheck={false}
        />
        <FormNotice />
        <div>
          <SubmitButton>Save spellings</SubmitButton>
        </div>
      </ApiForm>
    </section>
  )
}
