import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { claimGroups, ClaimFigures } from '#contract/admin-claims.ts'
import { claimPaths } from '#contract/claim-paths.ts'
import { SECOND_MS } from '#shared/time.ts'
import { claimKinds, claimStates } from '#domain/claims/claim.ts'
import { isOneOf } from '#shared/one-of.ts'
import type { Answer, Api } from '#web/api/client.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { MoreButton } from '#web/ui/MoreButton.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Select } from '#web/ui/Select.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { claimFiguresQuery } from './admin-queries.ts'
import { AdminFrame } from './AdminFrame.tsx'
import { ClaimCard } from './ClaimCard.tsx'

type Filter = { kind: '' | (typeof claimKinds)[number]; state: '' | (typeof claimStates)[number] }

const claimsQuery = (api: Api, { kind, state }: Filter) =>
  infiniteQueryOptions({
    queryKey: ['GET /api/admin/claims', kind, state],
    queryFn: ({ pageParam }): Promise<Answer<'GET /api/admin/claims'>> =>
      // The position's schema parses text; its input type is text.
      api('GET /api/admin/claims', { query: { kind, state, ...(pageParam !== null && { after: pageParam }) } }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 2 * SECOND_MS,
    refetchOnWindowFocus: true,
  })

/** `/admin/claims`: what shoppers report and take back, those that wait first. */
export function ClaimsPage() {
  const api = useApi()
  const [parameters, setParameters] = useSearchParams()
  const kind = parameters.get('kind') ?? ''
  const state = parameters.get('state') ?? ''
  const filter: Filter = {
    kind: isOneOf(claimKinds, kind) ? kind : '',
    state: isOneOf(claimStates, state) ? state : '',
  }
  const query = useInfiniteQuery(claimsQuery(api, filter))
  const filterBy = (name: string, value: string) =>
    setParameters((before) => {
      const next = new URLSearchParams(before)
      if (value) next.set(name, value)
      else next.delete(name)
      return next
    })
  return (
    <AdminFrame
      title="Claims"
      actions={
        <Link to={claimPaths.adminWithdrawal} className={buttonClass('outline')}>
          Where withdrawal is offered
        </Link>
      }
    >
      <form aria-label="Filter" className="mb-6 flex flex-wrap gap-4" onSubmit={(event) => event.preventDefault()}>
        <Select
          label="State"
          value={filter.state}
          className="w-52"
          options={[
            { value: '', label: 'All, open first' },
            { value: 'open', label: 'Waiting for you' },
            { value: 'asked', label: 'Waiting for the customer' },
            { value: 'resolved', label: 'Decided' },
          ]}
          onValue={(value) => filterBy('state', value)}
        />
        <Select
          label="Kind"
          value={filter.kind}
          className="w-52"
          options={[
            { value: '', label: 'All' },
            { value: 'claim', label: 'Problems' },
            { value: 'withdrawal', label: 'Withdrawals' },
          ]}
          onValue={(value) => filterBy('kind', value)}
        />
      </form>
      <QueryBoundary query={query}>
        {({ pages }) => {
          const claims = pages.flatMap((page) => page.claims)
          const waiting = pages[0]?.waiting ?? 0
          return (
            <>
              <p role="status" className="mb-4 text-ink-soft">
                {claims.length === 0
                  ? 'No claims here. What shoppers report from an order’s page appears in this list.'
                  : waiting === 0
                    ? 'Nothing waits for you.'
                    : `${waiting} waiting for you, longest wait first.`}
              </p>
              <ul className="grid gap-6">
                {claims.map((claim) => (
                  <ClaimCard key={claim.id} claim={claim} />
                ))}
              </ul>
              <MoreButton query={query}>More</MoreButton>
            </>
          )
        }}
      </QueryBoundary>
      <Figures />
    </AdminFrame>
  )
}

const count = (name: keyof ClaimFigures, title: string): Column<ClaimFigures> => ({
  key: name,
  title,
  isNumber: true,
  cell: (row) => row[name] || '',
  sortBy: (row) => Number(row[name]),
})

const columns: readonly [Column<ClaimFigures>, ...Column<ClaimFigures>[]] = [
  {
    key: 'name',
    title: 'Name',
    cell: ({ name, blank }) => (
      <>
        {name}
        {blank && <span className="block text-sm font-normal text-ink-soft">{blank}</span>}
      </>
    ),
    sortBy: ({ name }) => name,
  },
  { key: 'size', title: 'Size', cell: ({ size }) => size ?? '' },
  count('sold', 'Sold'),
  count('wrong', 'Wrong'),
  count('faulty', 'Faulty'),
  count('damaged', 'Damaged'),
  count('lost', 'Lost'),
  count('withdrawn', 'Withdrawn'),
  count('small', 'Too small'),
  count('large', 'Too large'),
]

function Figures() {
  const [by, setBy] = useState<(typeof claimGroups)[number]>('product')
  const query = useQuery(claimFiguresQuery(by))
  return (
    <div className="mt-12">
      <h2 className="mb-3 text-[1.375rem]">What is claimed</h2>
      <p className="mb-4 max-w-[44em] text-ink-soft">
        Pieces of each size, over all time: which product or blank breaks, and which size runs small.
      </p>
      <Select
        label="Group by"
        value={by}
        className="mb-4 w-52"
        options={[
          { value: 'product', label: 'Product' },
          { value: 'blank', label: 'Blank' },
        ]}
        onValue={(value) => setBy(value === 'blank' ? 'blank' : 'product')}
      />
      <QueryBoundary query={query}>
        {({ rows }) => (
          <Table
            caption="What is claimed"
            isCaptionHidden
            stacks
            columns={columns}
            rows={rows}
            keyOf={({ name, size }) => `${name} ${size}`}
            empty="Nothing has been claimed yet."
          />
        )}
      </QueryBoundary>
    </div>
  )
}
