import { useQuery } from '@tanstack/react-query'
import type { FormerPictures } from '#contract/admin-imports.ts'
import { paths } from '#contract/paths.ts'
import { SECOND_MS } from '#shared/time.ts'
import { query } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { type Column, Table } from '#web/ui/Table.tsx'
import { useAction } from './use-action.ts'

const POLL_MS = 3 * SECOND_MS

const picturesQuery = {
  ...query('GET /api/admin/imported-pictures'),
  staleTime: 0,
  refetchInterval: ({ state: { data } }: { state: { data: FormerPictures | undefined } }) =>
    data && data.waiting > 0 ? POLL_MS : false,
} as const

/** How far the pictures of imported products are; nothing before any came. */
export function ImportedPictures() {
  const api = useApi()
  const { act, busy, failure } = useAction()
  const { data } = useQuery(picturesQuery)
  if (!data || data.waiting + data.stored + data.failedCount === 0) return null
  const { waiting, stored, failedCount, failed, withoutAlt } = data
  const total = waiting + stored + failedCount
  return (
    <section aria-labelledby="imported-pictures" className="mt-12 grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 id="imported-pictures" className="text-[1.375rem]">
        Pictures
      </h2>
      <p role="status">
        {waiting > 0
          ? `${stored} of ${total} pictures are here; ${waiting} are being fetched.`
          : `${stored} of ${total} pictures are here.`}
      </p>
      {waiting > 0 && (
        <progress className="w-full max-w-[28em]" aria-label="Pictures fetched" value={total - waiting} max={total} />
      )}
      {failure && <Notice>{failure.sentence}</Notice>}
      {failedCount > 0 && (
        <>
          <Table<FormerPictures['failed'][number]>
            caption={
              failed.length < failedCount ? `Not fetched: the first ${failed.length} of ${failedCount}` : 'Not fetched'
            }
            stacks
            columns={failedColumns}
            rows={failed}
            keyOf={({ id }) => id}
            empty=""
          />
          <div>
            <Button
              variant="outline"
              busy={busy}
              onClick={() => void act(() => api('POST /api/admin/imported-pictures/retry', {}))}
            >
              Try again
            </Button>
          </div>
        </>
      )}
      {withoutAlt.length > 0 && (
        <div className="max-w-[44em]">
          <p>
            The export doesn’t say what some pictures show. Describe them for people who can’t see them:{' '}
            <Link to={paths.adminProducts} className="link-line">
              Products
            </Link>
            , Edit, Pictures.
          </p>
          <ul className="mt-2 list-disc pl-5">
            {withoutAlt.map(({ id, name, pictures }) => (
              <li key={id}>
                {name}: {pictures === 1 ? '1 picture' : `${pictures} pictures`}
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}

const failedColumns: readonly [
  Column<FormerPictures['failed'][number]>,
  ...Column<FormerPictures['failed'][number]>[],
] = [
  { key: 'product', title: 'Product', cell: ({ product }) => product },
  { key: 'url', title: 'Address', cell: ({ url }) => <span className="wrap-anywhere">{url}</span> },
  { key: 'reason', title: 'Why', cell: ({ reason }) => reason },
]
