/** What prevented a change. */
export function Problems({ problems }: { problems: readonly string[] }) {
  if (problems.length === 0) return null
  return (
    <div role="alert" tabindex={-1} autofocus>
      {problems.map((problem) => (
        <p>{problem}</p>
      ))}
    </div>
  )
}
