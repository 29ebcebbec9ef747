import { useQueryClient } from '@tanstack/react-query'
import { configQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { Button } from '#web/ui/Button.tsx'
import { useAction } from './use-action.ts'
import { useFloorQuestion } from './use-floor-question.tsx'

type Props = {
  /** Of the log's entry. */
  id: number
  /** Which setting, for screen readers. */
  target: string
  onDone?: () => void
}

/** Restores the value that a setting had before an entry of the log. */
export function UndoButton({ id, target, onDone }: Props) {
  const api = useApi()
  const queries = useQueryClient()
  const { act, busy, failure } = useAction()
  const { accepted, dialog } = useFloorQuestion()
  const undo = async () => {
    const answer = await accepted((query) =>
      api('POST /api/admin/settings/undo/:action', { params: { action: id }, query }),
    )
    await queries.refetchQueries({ queryKey: configQuery.queryKey })
    return answer
  }
  return (
    <span>
      <Button
        type="button"
        variant="plain"
        busy={busy}
        aria-label={`Undo the change of ${target}`}
        onClick={() => void act(undo).then((answer) => answer && onDone?.())}
      >
        Undo
      </Button>
      {dialog}
      {failure && (
        <span role="alert" className="block text-sm text-danger">
          {failure.sentence}
        </span>
      )}
    </span>
  )
}
