import type { AdminDrop } from '#contract/admin-drops.ts'
import type { DropAction } from '#domain/drops/drop.ts'
import { useApi } from '#web/api/use-api.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { useAction } from './use-action.ts'

/** Extending is done in the form, with a later end or more pieces. */
const texts: Readonly<Record<Exclude<DropAction, 'extend'>, string>> = {
  schedule: 'Schedule',
  withdraw: 'Back to draft',
  pause: 'Pause',
  resume: 'Go on selling',
  end: 'End now',
  release: 'Sell the rest without numbers',
}

/** A button for each thing that can be decided now. */
export function DropActions({ drop: { id, title, actions } }: { drop: AdminDrop }) {
  const api = useApi()
  const { act, busy, failure } = useAction()
  return (
    <div className="grid justify-items-start gap-2">
      <div className="flex flex-wrap gap-x-4 gap-y-2">
        {actions.map(
          (action) =>
            action !== 'extend' && (
              <Button
                key={action}
                variant={action === 'schedule' || action === 'resume' ? 'outline' : 'plain'}
                busy={busy}
                onClick={() => void act(() => api('POST /api/admin/drops/:id/:action', { params: { id, action } }))}
              >
                {texts[action]}
                <span className="sr-only"> {title}</span>
              </Button>
            ),
        )}
      </div>
      {failure && <Notice>{failure.sentence}</Notice>}
    </div>
  )
}
