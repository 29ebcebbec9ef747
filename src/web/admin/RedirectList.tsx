import { useInfiniteQuery } from '@tanstack/react-query'
import { RedirectPaths, type RedirectRow } from '#contract/admin-imports.ts'
import { useApi } from '#web/api/use-api.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { MoreButton } from '#web/ui/MoreButton.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { type Column, Table } from '#web/ui/Table.tsx'
import { pagedQuery } from './message-queries.ts'
import { useAction, useChange } from './use-action.ts'

/** Old addresses and where they lead. */
export function RedirectList() {
  const api = useApi()
  const change = useChange()
  const { act, busy, failure } = useAction()
  const query = useInfiniteQuery(pagedQuery(api, 'GET /api/admin/redirects'))
  const remove = ({ id }: RedirectRow) => act(() => api('DELETE /api/admin/redirects/:id', { params: { id } }))
  return (
    <section aria-labelledby="redirects" className="mt-12">
      <h2 id="redirects" className="text-[1.375rem]">
        Redirects
      </h2>
      <p className="mt-2 mb-6 max-w-[44em] text-ink-soft">
        An old address leads to one of our pages, if none has that address.
      </p>
      <ApiForm
        schema={RedirectPaths}
        send={(body) => change(() => api('POST /api/admin/redirects', { body }))}
        clears
        aria-label="Add a redirect"
        className="mb-6 grid max-w-[44em] gap-4 md:grid-cols-2"
      >
        <Field label="Old address" name="from" required maxLength={500} autoComplete="off" hint="Like /products/cap" />
        <Field label="Leads to" name="to" required maxLength={500} autoComplete="off" hint="Like /products" />
        <FormNotice />
        <div>
          <SubmitButton variant="outline">Add redirect</SubmitButton>
        </div>
      </ApiForm>
      {failure && <Notice>{failure.sentence}</Notice>}
      <QueryBoundary query={query}>
        {({ pages }) => (
          <Table<RedirectRow>
            caption="All redirects"
            isCaptionHidden
            stacks
            columns={columns(remove, busy)}
            rows={pages.flatMap(({ redirects }) => redirects)}
            keyOf={({ id }) => id}
            empty="No redirects yet."
          />
        )}
      </QueryBoundary>
      <MoreButton query={query}>Older</MoreButton>
    </section>
  )
}

const columns = (
  remove: (redirect: RedirectRow) => unknown,
  busy: boolean,
): readonly [Column<RedirectRow>, ...Column<RedirectRow>[]] => [
  { key: 'from', title: 'Old address', cell: ({ from }) => <span className="wrap-anywhere">{from}</span> },
  { key: 'to', title: 'Leads to', cell: ({ to }) => <span className="wrap-anywhere">{to}</span> },
  {
    key: 'remove',
    title: 'Remove',
    isAction: true,
    cell: (redirect) => (
      <Button variant="plain" className="-my-3" busy={busy} onClick={() => void remove(redirect)}>
        Remove<span className="sr-only"> {redirect.from}</span>
      </Button>
    ),
  },
]
