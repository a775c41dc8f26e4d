import { startServices } from '../../demo/services.ts'

// Who started this process tells it how, hears when they answer, and takes them along when it ends.
const starting = startServices(JSON.parse(process.argv[2] ?? '{}'))
process.on('disconnect', () => {
  void starting.then(({ stop }) => stop()).finally(() => process.exit())
})

const { stop: _, ...origins } = await starting
process.send?.(origins)
