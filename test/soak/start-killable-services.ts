import { startServices } from '../../demo/services.ts'

// Started by killable-services.ts: receives the options as an argument, reports the origins when
// the services are ready, and stops the services when the parent process ends.
const starting = startServices(JSON.parse(process.argv[2] ?? '{}'))
process.on('disconnect', () => {
  void starting.then(({ stop }) => stop()).finally(() => process.exit())
})

const { stop: _, ...origins } = await starting
process.send?.(origins)
