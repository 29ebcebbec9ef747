import { classNames } from '#web/ui/class-names.ts'

export const OrDivider = ({ word = 'OR', className = 'mt-6' }: { word?: string; className?: string }) => (
  <p className={classNames('flex items-center gap-4 text-sm font-semibold tracking-wide text-ink-soft', className)}>
    <span className="h-px flex-1 bg-ink/20" />
    {word}
    <span className="h-px flex-1 bg-ink/20" />
  </p>
)
