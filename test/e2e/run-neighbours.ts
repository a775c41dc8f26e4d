import { startNeighbours } from '../../demo/neighbours.ts'

// Who started this process tells it how, hears when they answer, and takes them along when it ends.
const starting = startNeighbours(JSON.parse(process.argv[2] ?? '{}'))
process.on('disconnect', () => {
  void starting.then(({ stop }) => stop()).finally(() => process.exit())
})

const { stop: _, ...origins } = await starting
process.send?.(origins)
