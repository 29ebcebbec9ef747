import { classNames } from '#web/ui/class-names.ts'
import { say } from '#words/say.ts'

export const OrDivider = ({ className = 'mt-6' }: { className?: string }) => (
  <p className={classNames('flex items-center gap-4 text-sm font-semibold tracking-wide text-ink-soft', className)}>
    <span className="h-px flex-1 bg-ink/20" />
    {say('OR')}
    <span className="h-px flex-1 bg-ink/20" />
  </p>
)
