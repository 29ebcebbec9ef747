import { useQuery } from '@tanstack/react-query'
import { useState, type DragEvent } from 'react'
import type { AdminCollection } from '#contract/admin-collections.ts'
import { paths } from '#contract/paths.ts'
import type { Answer } from '#web/api/client.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { Moment } from './Moment.tsx'
import { Versions } from './VersionHistory.tsx'
import { adminCollectionsQuery } from './admin-queries.ts'
import { stateNames } from './collection-states.ts'
import { useAction } from './use-action.ts'

/** `/admin/collections`: every collection, in the order of the menu. */
export function CollectionsPage() {
  const collections = useQuery(adminCollectionsQuery)
  return (
    <AdminFrame
      title="Collections"
      actions={
        <Link to={paths.adminNewCollection} className={buttonClass('primary')}>
          New collection
        </Link>
      }
    >
      <p className="mb-6 max-w-[44em] text-ink-soft">
        In the order of the menu, the footer and all lists. Drag a row, or move it with its arrows.
      </p>
      <QueryBoundary query={collections}>{(answer) => <Order {...answer} />}</QueryBoundary>
    </AdminFrame>
  )
}

/** The same ids with one moved to another's place. */
function moved(ids: readonly string[], id: string, to: number): string[] {
  const rest = ids.filter((one) => one !== id)
  return rest.toSpliced(Math.max(0, Math.min(to, rest.length)), 0, id)
}

function Order({ collections, order }: Answer<'GET /api/admin/collections'>) {
  const api = useApi()
  const { act, busy, failure } = useAction()
  const [dragged, setDragged] = useState<string>()
  const [announcement, setAnnouncement] = useState('')
  if (collections.length === 0) return <p>No collections yet. Make the first one.</p>

  const ids = collections.map(({ id }) => id)
  const move = (id: string, to: number) => {
    if (busy || to < 0 || to >= ids.length || ids[to] === id) return
    const name = collections.find((one) => one.id === id)?.displayName ?? id
    setAnnouncement(`${name} is now number ${to + 1} of ${ids.length}.`)
    void act(() => api('PUT /api/admin/collections', { body: { ids: moved(ids, id, to), version: order.version } }))
  }
  const drop = (event: DragEvent, to: number) => {
    event.preventDefault()
    if (dragged !== undefined) move(dragged, to)
    setDragged(undefined)
  }
  return (
    <>
      {failure && <Notice>{failure.sentence}</Notice>}
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <ol aria-label="Collections" className="border-t border-line">
        {collections.map((collection, index) => (
          // The arrows do the same.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
          <li
            key={collection.id}
            draggable
            onDragStart={() => setDragged(collection.id)}
            onDragEnd={() => setDragged(undefined)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => drop(event, index)}
            className={classNames(
              'flex items-center gap-3 border-b border-line py-2 sm:gap-5',
              dragged === collection.id && 'opacity-50',
            )}
          >
            <span className="flex shrink-0">
              <IconButton
                icon="down"
                label={`Move ${collection.displayName} up`}
                className="rotate-180"
                idle={index === 0}
                onClick={() => move(collection.id, index - 1)}
              />
              <IconButton
                icon="down"
                label={`Move ${collection.displayName} down`}
                idle={index === ids.length - 1}
                onClick={() => move(collection.id, index + 1)}
              />
            </span>
            <Entry collection={collection} />
          </li>
        ))}
      </ol>
      {order.history.length > 0 && (
        <details className="mt-8 pt-4">
          <summary className="flex min-h-11 cursor-pointer items-center font-semibold">History of the order</summary>
          <Versions
            versions={order.history}
            current={order.version}
            hint="Restoring brings an earlier order back; collections that are newer come last."
            restore={(to) => api('POST /api/admin/collection-order', { body: { version: order.version, to } })}
          />
        </details>
      )}
    </>
  )
}

function Entry({ collection }: { collection: AdminCollection }) {
  const { id, displayName, slug, state, publishAt, inMenu, onHome, products } = collection
  const places = [inMenu && 'menu', onHome && 'home page'].filter(Boolean).join(' and ')
  const isAwaited = publishAt !== null && (state === 'draft' || state === 'coming_soon')
  return (
    <div className="min-w-0 flex-1">
      <Link to={paths.adminCollection(id)} className="link-line font-semibold">
        {displayName}
      </Link>
      <p className="flex flex-wrap items-center gap-x-4 text-sm text-ink-soft">
        <span className="font-medium text-ink">{stateNames[state]}</span>
        {isAwaited && (
          <span>
            public on <Moment at={publishAt} />
          </span>
        )}
        <span>
          {products.toLocaleString('en-US')} {products === 1 ? 'product' : 'products'}
        </span>
        {places && <span>in {places}</span>}
        {(state === 'published' || state === 'coming_soon') && (
          <Link to={paths.collection(slug)} className="inline-flex items-center gap-1 underline underline-offset-2">
            /{slug} <Icon name="out" className="size-4" />
          </Link>
        )}
      </p>
    </div>
  )
}
