/** Words that a user attached to find something by. */
export const Tags = ({ of }: { of: readonly string[] }) =>
  of.length === 0 ? (
    <>—</>
  ) : (
    <span className="row tight tags">
      {of.map((tag) => (
        <span key={tag} className="tag">
          {tag}
        </span>
      ))}
    </span>
  );
