import { App, type AppProps, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { Service } from './service.ts';
import { refuseUnknown, settingsFrom } from './settings.ts';

/** The app that `cdk` deploys, whose context chooses the stage. */
export function createApp(props?: AppProps): App {
  const app = new App(props);
  refuseUnknown(Object.keys(app.node.getAllContext()));
  // What these rules find fails the synthesis, unless it is acknowledged, with its reason, where the resource is made.
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
    // For a mistyped setting, the sentence is enough; the stack trace is not needed.
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
