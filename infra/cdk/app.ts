import { App, type AppProps, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { Service } from './service.ts';
import { refuseUnknown, settingsFrom } from './settings.ts';

export function createApp(props?: AppProps): App {
  const app = new App(props);
  refuseUnknown(Object.keys(app.node.getAllContext()));
  // The synthesis fails for every finding that is not acknowledged with a reason.
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  new Service(
    app,
    settingsFrom((name) => app.node.tryGetContext(name)),
  );
  return app;
}

if (import.meta.main) {
  try {
    createApp();
  } catch (error) {
    // A mistyped setting does not need a stack trace.
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
