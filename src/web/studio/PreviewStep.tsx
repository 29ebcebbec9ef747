import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { dateOf, HOUR_MS } from '#shared/time.ts'
import { paths } from '#contract/paths.ts'
import { objectionsToDraft } from '#domain/studio/draft.ts'
import { useApi } from '#web/api/use-api.ts'
import { useFloorQuestion } from '#web/admin/use-floor-question.tsx'
import { useRequest } from '#web/api/use-request.ts'
import { useShopTime } from '#web/api/use-shop-time.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { Select } from '#web/ui/Select.tsx'
import { fromLocalTime, toLocalTime } from '#web/ui/local-time.ts'
import { blankQuery } from './studio-queries.ts'
import type { DraftEditor } from './use-draft.ts'
import { HiddenAreas } from './HiddenAreas.tsx'

const widths = { phone: 390, desktop: 1440 } as const
type Width = keyof typeof widths

const HOURS_AHEAD = 24

/** The product page as shoppers will see it, and when it goes on sale. */
export function PreviewStep({ editor }: { editor: DraftEditor }) {
  const api = useApi()
  const { run, busy, failure } = useRequest()
  const { accepted, dialog } = useFloorQuestion()
  const shopTime = useShopTime()
  const [width, setWidth] = useState<Width>('phone')
  const { draft, content, update } = editor
  const blank = useQuery(blankQuery(content.blankId)).data
  const missing = objectionsToDraft(content, blank?.colors.length !== 0)
  const when = content.staysDraft ? 'draft' : content.publishAt === null ? 'now' : 'later'
  const publish = () =>
    run(async () => {
      await editor.flush()
      const id = draft.id
      editor.setDraft(
        await accepted((query) =>
          api('POST /api/admin/drafts/:id/publish', { params: { id }, query, body: { version: editor.version() } }),
        ),
      )
    })
  return (
    <div className="grid gap-6">
      <div className="flex flex-wrap items-center gap-3">
        {(['phone', 'desktop'] as const).map((one) => (
          <Button
            key={one}
            variant={one === width ? 'quiet' : 'outline'}
            aria-pressed={one === width}
            onClick={() => setWidth(one)}
          >
            {one === 'phone' ? 'Phone' : 'Desktop'}
          </Button>
        ))}
        <a href={paths.productPreview(draft.id)} target="_blank" rel="noreferrer" className="link-line">
          Open in a new tab
        </a>
      </div>
      {dialog}
      <HiddenAreas content={content} blank={blank} />
      <Frame key={`${draft.version} ${width}`} id={draft.id} width={width} />
      {missing.length > 0 && (
        <Notice title="Not ready yet">
          <ul className="list-disc pl-5">
            {missing.map(({ sentence }) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </Notice>
      )}
      <div className="grid max-w-xl gap-4">
        <Select
          label="When"
          value={when}
          options={[
            { value: 'now', label: 'Publish now' },
            { value: 'later', label: 'Publish at a time' },
            { value: 'draft', label: 'Make it at the printer, but keep it hidden' },
          ]}
          onValue={(value) =>
            update({
              staysDraft: value === 'draft',
              publishAt: value === 'later' ? dateOf(shopTime() + HOURS_AHEAD * HOUR_MS).toISOString() : null,
            })
          }
        />
        {content.publishAt !== null && (
          <Field
            label="Day and time"
            type="datetime-local"
            defaultValue={toLocalTime(content.publishAt)}
            onLeave={(typed) => {
              const publishAt = fromLocalTime(typed)
              if (publishAt !== null) update({ publishAt })
            }}
            hint="In the time zone of this device."
          />
        )}
        {failure && <Notice title="Not published">{failure.sentence}</Notice>}
        <div>
          <Button busy={busy} aria-disabled={missing.length > 0} onClick={() => void publish()}>
            {when === 'draft' ? 'Make the product' : 'Publish'}
          </Button>
        </div>
      </div>
    </div>
  )
}

const HEIGHT = 900

/** The page has exactly its width inside; where there is less room, it is shown smaller instead of scrolling sideways. */
function Frame({ id, width }: { id: number; width: Width }) {
  const [room, setRoom] = useState<number>()
  const watch = useCallback((box: HTMLDivElement | null) => {
    if (!box) return undefined
    const observer = new ResizeObserver(([entry]) => entry && setRoom(entry.contentRect.width))
    observer.observe(box)
    return () => observer.disconnect()
  }, [])
  const scale = room === undefined ? 1 : Math.min(1, room / widths[width])
  return (
    <div
      ref={watch}
      className="overflow-hidden rounded-card border border-line"
      style={{ maxWidth: widths[width] + 2, height: Math.round(HEIGHT * scale) + 2 }}
    >
      {/* oxlint-disable-next-line react/iframe-missing-sandbox -- Our own page, which needs scripts and the owner's session. */}
      <iframe
        title={`Product page, ${width}`}
        src={paths.productPreview(id)}
        width={widths[width]}
        height={HEIGHT}
        className="max-w-none origin-top-left bg-ivory"
        style={{ transform: `scale(${scale})` }}
      />
    </div>
  )
}
