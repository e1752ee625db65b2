"""File ▸ Export ▸ Web page: an arm, a trajectory or a recording as one HTML file."""
