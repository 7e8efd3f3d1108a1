export default function Shop() {
  return (
    <form method="post" action="/buy/1009">
      <button type="submit">Pay GHS 36.50 with mobile money</button>
    </form>
  );
}
