// @ts-check
// Streamlit's own elements that the browser code relies on. page.css and presented.css rely on others.
// tests/browser/test_streamlit_dom.py checks that all of them exist.

export const APP = "[data-testid=stApp]";
/** The attribute of the app that holds the state of the connection. */
export const CONNECTION_STATE = "data-test-connection-state";
export const BUTTON_GROUP = "[data-testid=stButtonGroup]";
